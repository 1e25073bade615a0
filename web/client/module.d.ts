// The loader that Emscripten writes: build/web/hamel.mjs.
declare module "hamel-module" {
  export interface HamelModule {
    _hamel_call(request: number): number;
    _malloc(size: number): number;
    _free(pointer: number): void;
    lengthBytesUTF8(text: string): number;
    stringToUTF8(text: string, pointer: number, size: number): void;
    UTF8ToString(pointer: number): string;
  }
  export default function start(options: { locateFile(name: string): string }): Promise<HamelModule>;
}

declare module "*.css";
