/** telltale methods: what there is to choose from, as methods and teachers declare it. */

import type { Command } from "commander";
import {
  allowed,
  comparators,
  type Method,
  methods,
  type Option,
  otherNamesOf,
  sharedOptions,
  teachers,
  toldNames,
} from "../../doors/inside.ts";
import { asUsage } from "../ending.ts";
import { methodFrom } from "../options.ts";
import { hanging, pairs } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";

const profiles = ["practical", "paper"] as const;

export function define(command: Command, around: Surroundings): void {
  command.argument("[name]", "a method or a teacher, or the file of a method of your own, to see its options");
  withCommonOptions(command, "telltale methods tell");
  command.action(async (name: string | undefined, options: CommonOptions) => {
    const talk = new Talk(around, options);
    if (name === undefined) {
      talk.result([...Object.values(methods).map(briefly), ...taught.map(teacherBriefly)], () => listText(talk.width));
    } else {
      const method = await asUsage(() => methodFrom(name));
      talk.result(entirely(method), () => methodText(method, talk.width));
    }
  });
}

/** Whose name means the default method, taught by it. */
const taught = toldNames.filter((name) => !Object.hasOwn(methods, name));

function teacherBriefly(name: (typeof taught)[number]) {
  const { about, paper } = teachers[name];
  return { name, about, paper, profiles, teaches: "telltale", called: otherNamesOf(name) };
}

function briefly({ name, about, paper }: Method) {
  return { name, about, paper, profiles };
}

/** Each option with its default, what the profiles make of it, and what it may be. */
function entirely(method: Method) {
  const described = (table: Readonly<Record<string, Option>>) =>
    Object.entries(table).map(([name, option]) => ({
      name,
      ...option,
      // Infinity is no JSON.
      ...("to" in option && { to: Number.isFinite(option.to) ? option.to : null }),
      allowed: allowed(option),
      ...Object.fromEntries(profiles.map((profile) => [profile, settingOf(method, profile, name) ?? option.fallback])),
    }));
  return { ...briefly(method), options: described(method.options), shared: described(sharedOptions) };
}

function listText(width: number): string {
  const rows = Object.values(methods).map(({ name, about }) => [name, about] as const);
  const whoTeaches = taught.map((name) => {
    const others = otherNamesOf(name).map((other) => other.toUpperCase());
    return [name, `${teachers[name].about}${others.length > 0 ? ` (${others.join(", ")})` : ""}`] as const;
  });
  return [
    pairs(rows, width),
    "",
    hanging("", "Teachers. Each of these names means telltale, taught by it: a student that repeats it.", width),
    "",
    pairs(whoTeaches, width),
    "",
    "telltale methods NAME lists the options of one.",
  ].join("\n");
}

function methodText(method: Method, width: number): string {
  const section = (title: string, table: Readonly<Record<string, Option>>): string => {
    const entries = Object.entries(table).map(([name, option]) => optionText(method, name, option, width));
    return `${title}\n${entries.join("\n")}`;
  };
  return [
    hanging(`${method.name}: `, method.about, width),
    hanging("", method.paper, width),
    ...pageOf(method, width),
    "",
    section("Its own options:", method.options),
    "",
    section("Options of every method:", sharedOptions),
    "",
    "Set one with: telltale fit FILE --set name=value",
  ].join("\n");
}

/** Where a teacher has its page. */
function pageOf({ name }: Method, width: number): string[] {
  if (!taught.some((each) => each === name)) return [];
  const page = Object.hasOwn(comparators, name) ? `docs/comparators.md#${name}` : "docs/teachers.md";
  return [hanging("", `The default method, taught by it, whose own options begin with teacher: ${page}`, width)];
}

function optionText(method: Method, name: string, option: Option, width: number): string {
  const values = profiles.map((profile) => show(settingOf(method, profile, name) ?? option.fallback));
  const [practical, paper] = values;
  const preset = practical === paper ? practical : `${practical}, paper: ${paper}`;
  return [`  ${name}=${preset}`, hanging("      ", `${option.about} ${sentence(allowed(option))}`, width)].join("\n");
}

function settingOf(method: Method, profile: (typeof profiles)[number], name: string): unknown {
  return (method.profiles[profile] as Readonly<Record<string, unknown>>)[name];
}

function show(value: unknown): string {
  return Array.isArray(value) ? value.join(",") : String(value);
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
