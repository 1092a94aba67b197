/** Its published types are of an older version of itself, and of pdfkit. */
declare module "svg-to-pdfkit" {
  export default function addSvg(
    pdf: PDFKit.PDFDocument,
    svg: string,
    x: number,
    y: number,
    options: { readonly width: number; readonly height: number; readonly fontCallback: () => string },
  ): void;
}
