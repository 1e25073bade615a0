// Where things are.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const here = resolve(fileURLToPath(import.meta.url), "..");
export const repository = resolve(here, "../..");
export const program = process.env.HAMEL ?? resolve(repository, "build/hamel");
export const gallery = resolve(repository, "docs/gallery");
export const site = resolve(process.env.HAMEL_DOCS ?? resolve(repository, "build/docs"));
export const studio = resolve(repository, "build/web/site"); // of `make web`
export const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
