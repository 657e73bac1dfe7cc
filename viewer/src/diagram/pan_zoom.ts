/** Pan and zoom of a drawing by its view box. */

export class PanZoom {
  private box: { x: number; y: number; w: number; h: number };
  /** True if the last press moved the drawing, so that it was no click. */
  moved = false;
  /** Called when a unit of the drawing has another length on the screen. */
  onScale: () => void = () => {};

  constructor(
    private readonly drawing: SVGSVGElement,
    private readonly whole: { x: number; y: number; w: number; h: number },
  ) {
    this.box = { ...whole };
    this.apply();
    drawing.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    drawing.addEventListener('pointerdown', (event) => this.down(event));
    drawing.addEventListener('dblclick', () => this.fit());
  }

  /** Pixels of the screen that a unit of the drawing is long, in a host of this size. */
  scale(width: number, height: number): number {
    return Math.min(width / this.box.w, height / this.box.h);
  }

  fit(): void {
    this.box = { ...this.whole };
    this.apply();
  }

  /** Zooms in (factor below 1) or out about a point of the drawing; about its centre if none is given. */
  zoom(factor: number, x = this.box.x + this.box.w / 2, y = this.box.y + this.box.h / 2): void {
    const kept = Math.min(Math.max(factor, this.whole.w / 20 / this.box.w), (this.whole.w * 4) / this.box.w);
    this.box.x = x - (x - this.box.x) * kept;
    this.box.y = y - (y - this.box.y) * kept;
    this.box.w *= kept;
    this.box.h *= kept;
    this.apply();
  }

  private apply(): void {
    const { x, y, w, h } = this.box;
    this.drawing.setAttribute('viewBox', `${x} ${y} ${w} ${h}`);
    this.onScale();
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.drawing.getScreenCTM()!.inverse());
    this.zoom(Math.exp(event.deltaY * 0.0015), at.x, at.y);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.moved = false;
    const start = { x: event.clientX, y: event.clientY, box: { ...this.box } };
    const scale = this.drawing.getScreenCTM()!.a;
    const move = (now: PointerEvent) => {
      const [dx, dy] = [now.clientX - start.x, now.clientY - start.y];
      if (Math.hypot(dx, dy) > 4) this.moved = true;
      if (!this.moved) return;
      this.box.x = start.box.x - dx / scale;
      this.box.y = start.box.y - dy / scale;
      this.apply();
    };
    const end = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  }
}
