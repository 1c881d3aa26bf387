import type { FileReading } from "../../../src/cli/checking/checkFiles.ts";

/** Files by absolute path, as a disk would have them; a text of undefined can't be read. */
export function disk(texts: Readonly<Record<string, string | undefined>>): FileReading {
  const names = Object.keys(texts);
  const below = (folder: string): readonly string[] => {
    const start = folder === "/" ? folder : `${folder}/`;
    return names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
  };
  return {
    workingFolder: "/work",
    resolve: (path) =>
      (path.startsWith("/") ? path : `/work/${path}`).replace(/\/\.(?=\/|$)/g, "").replace(/(?<=.)\/+$/, ""),
    look: async (path) =>
      await Promise.resolve(
        names.includes(path)
          ? { kind: "file", bytes: path.includes("huge") ? 1e9 : (texts[path] ?? "").length, isOpenToOthers: false }
          : below(path).length > 0
            ? { kind: "folder" }
            : undefined,
      ),
    list: async (folder) => {
      const entries = new Map(below(folder).map((name) => [name.split("/")[0] ?? "", name.includes("/")]));
      return await Promise.resolve([...entries].map(([name, isFolder]) => ({ name, isFolder })));
    },
    async read(path) {
      const text = texts[path];
      if (text === undefined) throw new Error("EACCES: permission denied");
      return await Promise.resolve(text);
    },
  };
}
