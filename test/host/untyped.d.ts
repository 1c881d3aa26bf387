/** What is used of two packages that come without types. */
declare module "gifenc" {
  type Palette = number[][];
  interface Frame {
    readonly palette?: Palette;
    /** In ms. */
    readonly delay?: number;
    readonly repeat?: number;
    readonly dispose?: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
  }
  interface Encoder {
    writeFrame(pixels: Uint8Array, width: number, height: number, frame: Frame): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    quantize(rgba: Uint8Array, colours: number): Palette;
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
    GIFEncoder(): Encoder;
  };
  export default gifenc;
}

declare module "pngjs" {
  export const PNG: {
    readonly sync: { read(file: Buffer): { readonly width: number; readonly height: number; readonly data: Buffer } };
  };
}
