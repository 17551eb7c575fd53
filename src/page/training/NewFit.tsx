/** A fit from the page: which file, what its columns are for, how many clusters, by which method. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FitRequest, Inspection, Method, Option } from "../../api/fits.ts";
import { duration, list, percent, quantity } from "../../report/parts/numbers.ts";
import { useAnswer } from "../panels/useAnswer.ts";
import type { Session } from "../state/session.ts";
import { look } from "../state/view.ts";
import { type Corrections, type Role, roleOf, roles, rowOptions } from "./roles.ts";

/** What can be dropped. */
const taken = { server: "a CSV, Parquet, JSON or NumPy file", tab: "a CSV, Parquet or NumPy file, or pictures," };

export function NewFit({ session }: { readonly session: Session }) {
  const chosen = useSignal("");
  const isTab = session.source.kind === "tab";
  const isOver = useSignal(false);
  const sources = session.sources.value;
  useEffect(() => {
    if (chosen.value === "" && sources[0]) chosen.value = sources[0].id;
  }, [sources.length]);
  const take = (files: FileList | null | undefined): void => {
    const given = [...(files ?? [])];
    if (given.length === 0) return;
    void session.attempt(async () => {
      const source = await session.source.upload(given);
      await session.listSources();
      chosen.value = source.id;
    });
  };
  return (
    <section class="new" aria-label="A new fit">
      <h2>Fit a file</h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same for the keyboard */}
      <div
        class={isOver.value ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={(event) => {
          event.preventDefault();
          isOver.value = false;
          take(event.dataTransfer?.files);
        }}
      >
        {sources.length > 0 && (
          <label>
            Rows of{" "}
            <select value={chosen.value} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
              {sources.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          {sources.length > 0 ? "or drop a file here: " : `Drop ${taken[isTab ? "tab" : "server"]} here, or choose: `}
          <input type="file" multiple={isTab} onChange={({ currentTarget }) => take(currentTarget.files)} />
        </label>
      </div>
      {chosen.value !== "" && <Prepare key={chosen.value} session={session} source={chosen.value} />}
    </section>
  );
}

function Prepare({ session, source }: { readonly session: Session; readonly source: string }) {
  const corrections = useSignal<Corrections>({});
  const found = useSignal<Inspection | undefined>(undefined);
  const missing = useSignal<"mean" | "drop">("mean");
  const isMissing = found.value?.columns.some((column) => column.missing > 0) ?? false;
  const rows = {
    ...(found.value && rowOptions(found.value, corrections.value)),
    ...(isMissing && { missing: missing.value }),
  };
  const { value, problem, isWaiting } = useAnswer(
    async (signal) => {
      const inspected = await session.source.ask("inspect", { body: { source, rows }, signal });
      found.value ??= inspected;
      return inspected;
    },
    [source, JSON.stringify(rows)],
  );
  const { value: methods } = useAnswer((signal) => session.source.ask("methods", { signal }), []);
  const shown = found.value;
  return (
    <>
      {problem !== "" && <p class="note">{problem}</p>}
      {!shown && problem === "" && <p class="soft">Reading …</p>}
      {shown && (
        <>
          <p aria-busy={isWaiting}>
            {quantity(shown.rows, "row")}: {(value ?? shown).description}
          </p>
          {shown.columns.length > 0 && <Columns inspection={value ?? shown} first={shown} corrections={corrections} />}
          <Preview inspection={shown} />
          {isMissing && <Missing missing={missing} />}
          {methods && <Start session={session} source={source} rows={rows} methods={methods} />}
        </>
      )}
    </>
  );
}

/** Rows without a value cannot be learned from as they are. */
function Missing({ missing }: { readonly missing: { value: "mean" | "drop" } }) {
  return (
    <label>
      Where a value is missing{" "}
      <select
        value={missing.value}
        onChange={({ currentTarget }) => (missing.value = currentTarget.value as "mean" | "drop")}
      >
        <option value="mean">the mean of its column stands for it</option>
        <option value="drop">the row is left out</option>
      </select>
    </label>
  );
}

interface ColumnsGiven {
  readonly inspection: Inspection;
  readonly first: Inspection;
  readonly corrections: { value: Corrections };
}

function Columns({ inspection, first, corrections }: ColumnsGiven) {
  const now = new Map(inspection.columns.map((column) => [column.name, column]));
  return (
    <details open={first.columns.length <= 20}>
      <summary>What each column is for</summary>
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">column</th>
              <th scope="col">for</th>
              <th scope="col">type</th>
              <th scope="col">missing</th>
              <th scope="col" class="words">
                why
              </th>
            </tr>
          </thead>
          <tbody>
            {first.columns.map((column) => (
              <tr key={column.name}>
                <th scope="row">{column.name}</th>
                <td>
                  <select
                    aria-label={`What ${column.name} is for`}
                    value={roleOf(column, corrections.value)}
                    onChange={({ currentTarget }) => {
                      const role = currentTarget.value as Role;
                      const { [column.name]: _, ...rest } = corrections.value;
                      corrections.value = role === column.role ? rest : { ...rest, [column.name]: role };
                    }}
                  >
                    {[...new Set([column.role, ...roles])].map((role) => (
                      <option key={role} value={role}>
                        {role}
                      </option>
                    ))}
                  </select>
                </td>
                <td>{column.type}</td>
                <td>{column.missing === 0 ? "–" : percent(column.missing)}</td>
                <td class="words soft">{now.get(column.name)?.reason ?? column.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Preview({ inspection: { preview } }: { readonly inspection: Inspection }) {
  if (preview.rows.length === 0) return null;
  return (
    <details>
      <summary>The first rows</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it */}
      <section class="wide" tabIndex={0} aria-label="The first rows">
        <table>
          <thead>
            <tr>
              {preview.columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.slice(0, 8).map((cells, i) => (
              <tr key={i}>
                {cells.map((cell, j) => (
                  <td key={j}>{cell ?? "–"}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

interface StartGiven {
  readonly session: Session;
  readonly source: string;
  readonly rows: NonNullable<FitRequest["rows"]>;
  readonly methods: readonly Method[];
}

function Start({ session, source, rows, methods }: StartGiven) {
  const method = useSignal(methods.find(({ isDefault }) => isDefault)?.name ?? methods[0]!.name);
  const clusters = useSignal("");
  const effort = useSignal<"quick" | "normal" | "thorough">("normal");
  const options = useSignal<Readonly<Record<string, Option["fallback"]>>>({});
  const device = useSignal<FitRequest["device"]>(undefined);
  const isStarting = useSignal(false);
  const chosen = methods.find(({ name }) => name === method.value)!;
  // Effort stands above them.
  const listed = [...chosen.options, ...chosen.shared].filter(({ name }) => !chosen.isDefault || name !== "effort");
  const body: FitRequest = {
    source,
    method: method.value,
    ...(chosen.isDefault && { effort: effort.value }),
    ...(Number(clusters.value) >= 1 && { clusters: Number(clusters.value) }),
    ...(Object.keys(options.value).length > 0 && { options: options.value as never }),
    ...(Object.keys(rows).length > 0 && { rows }),
    ...(device.value && { device: device.value }),
  };
  const start = (): void => {
    isStarting.value = true;
    void session
      .attempt(async () => {
        const fit = await session.source.ask("startFit", { body });
        await session.listFits();
        look({ page: "training", fit: fit.id }, true);
      })
      .finally(() => {
        isStarting.value = false;
      });
  };
  return (
    <form
      class="start"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <label>
        Clusters{" "}
        <input
          type="number"
          min={1}
          max={4096}
          placeholder="as many as there are"
          value={clusters.value}
          onInput={({ currentTarget }) => (clusters.value = currentTarget.value)}
        />
      </label>
      <label>
        Method{" "}
        <select
          value={method.value}
          onChange={({ currentTarget }) => {
            method.value = currentTarget.value;
            options.value = {};
          }}
        >
          {methods.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {chosen.isDefault && (
        <label>
          Effort{" "}
          <select
            value={effort.value}
            onChange={({ currentTarget }) => (effort.value = currentTarget.value as "normal")}
          >
            <option value="quick">quick</option>
            <option value="normal">normal</option>
            <option value="thorough">thorough</option>
          </select>
        </label>
      )}
      <Devices session={session} device={device} />
      <p class="soft">{chosen.about}</p>
      <details>
        <summary>Options of {chosen.name}</summary>
        <div class="options">
          {listed.map((option) => (
            <OptionInput
              key={`${chosen.name} ${option.name}`}
              option={option}
              value={options.value[option.name]}
              onValue={(value) => {
                const { [option.name]: _, ...rest } = options.value;
                options.value = value === undefined ? rest : { ...rest, [option.name]: value };
              }}
            />
          ))}
        </div>
      </details>
      {session.source.kind === "server" && <Expected session={session} body={body} />}
      <button type="submit" class="strong" disabled={isStarting.value}>
        {isStarting.value ? "Starting …" : "Start"}
      </button>
    </form>
  );
}

const deviceNames = { cpu: "the processor", wasm: "WebAssembly", gpu: "the graphics processor" } as const;

/** Where there is a choice, what it runs on. */
function Devices({ session, device }: { readonly session: Session; readonly device: Signal<FitRequest["device"]> }) {
  const { value = [] } = useAnswer((signal) => session.source.ask("devices", { signal }), []);
  const hasProcessor = value.some(({ name, here }) => name === "cpu" && here);
  // Slower than the processor wherever that can be used as it is.
  const here = value.filter((each) => each.here && !(each.name === "wasm" && hasProcessor));
  if (here.length < 2) return null;
  return (
    <label>
      On{" "}
      <select
        value={device.value ?? here[0]!.name}
        onChange={({ currentTarget }) => (device.value = currentTarget.value as FitRequest["device"])}
      >
        {here.map(({ name, words }) => (
          <option key={name} value={name} title={words}>
            {deviceNames[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** How long it takes, about; nothing while an option is half written. */
function Expected({ session, body }: { readonly session: Session; readonly body: FitRequest }) {
  const { value } = useAnswer((signal) => session.source.ask("estimate", { body, signal }), [JSON.stringify(body)]);
  if (!value) return <p class="soft expected">Expected time …</p>;
  const { seconds, parts, withoutNetwork } = value;
  const about = (time: number): string => duration(Math.max(1, Math.round(time)));
  return (
    <p class="soft expected">
      About {about(withoutNetwork ?? seconds)}
      {withoutNetwork !== undefined && `, or ${about(seconds)} if the rows need a network`}: {list(parts)}.
    </p>
  );
}

interface OptionGiven {
  readonly option: Option;
  readonly value: Option["fallback"] | undefined;
  /** undefined: as the method says. */
  readonly onValue: (value: Option["fallback"] | undefined) => void;
}

/** One input for each kind of option, as the method declares it. */
function OptionInput({ option, value, onValue }: OptionGiven) {
  const { name, kind, about, practical, choices, from, to, allowed } = option;
  const usual = Array.isArray(practical) ? practical.join(", ") : String(practical);
  const input = {
    flag: () => (
      <input
        type="checkbox"
        checked={Boolean(value ?? practical)}
        onChange={({ currentTarget }) =>
          onValue(currentTarget.checked === practical ? undefined : currentTarget.checked)
        }
      />
    ),
    choice: () => (
      <select
        value={String(value ?? practical)}
        onChange={({ currentTarget }) => onValue(currentTarget.value === practical ? undefined : currentTarget.value)}
      >
        {(choices ?? []).map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    ),
    number: () => (
      <input
        type="number"
        step={kind === "whole" ? 1 : "any"}
        min={from}
        max={to ?? undefined}
        placeholder={usual}
        value={value === undefined ? "" : String(value)}
        onInput={({ currentTarget }) => onValue(currentTarget.value === "" ? undefined : Number(currentTarget.value))}
      />
    ),
    sizes: () => (
      <input
        placeholder={usual}
        pattern="[0-9, ]*"
        value={Array.isArray(value) ? value.join(", ") : ""}
        onChange={({ currentTarget }) => {
          const sizes = currentTarget.value
            .split(",")
            .map(Number)
            .filter((size) => size > 0);
          onValue(sizes.length > 0 ? sizes : undefined);
        }}
      />
    ),
  };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it is made by kind, above
    <label title={allowed}>
      <b>{name}</b> {input[kind === "whole" ? "number" : kind]()} <span class="soft">{about}</span>
    </label>
  );
}
