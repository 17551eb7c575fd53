/** telltale methods: what there is to choose from, as the methods declare it. */

import type { Command } from "commander";
import { allowed, type Method, methods, type Option, sharedOptions } from "../../doors/inside.ts";
import { asUsage } from "../ending.ts";
import { methodFrom } from "../options.ts";
import { hanging, pairs } from "../tables.ts";
import { type CommonOptions, type Surroundings, Talk, withCommonOptions } from "../talk.ts";

const profiles = ["practical", "paper"] as const;

export function define(command: Command, around: Surroundings): void {
  command.argument("[name]", "a method, or the file of one of your own, to see its options");
  withCommonOptions(command, "telltale methods tell");
  command.action(async (name: string | undefined, options: CommonOptions) => {
    const talk = new Talk(around, options);
    if (name === undefined) {
      talk.result(Object.values(methods).map(briefly), () => listText(talk.width));
    } else {
      const method = await asUsage(() => methodFrom(name));
      talk.result(entirely(method), () => methodText(method, talk.width));
    }
  });
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
  return `${pairs(rows, width)}\n\ntelltale methods NAME lists the options of one.`;
}

function methodText(method: Method, width: number): string {
  const section = (title: string, table: Readonly<Record<string, Option>>): string => {
    const entries = Object.entries(table).map(([name, option]) => optionText(method, name, option, width));
    return `${title}\n${entries.join("\n")}`;
  };
  return [
    hanging(`${method.name}: `, method.about, width),
    hanging("", method.paper, width),
    "",
    section("Its own options:", method.options),
    "",
    section("Options of every method:", sharedOptions),
    "",
    "Set one with: telltale fit FILE --set name=value",
  ].join("\n");
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
