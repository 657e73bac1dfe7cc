/** The canvas: renderer, camera, lights. Drawn only when something changed. */

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Palette } from '../theme/theme';
import type { View } from '../stream/schema.generated';
import type { Bounds } from './bounds';
import { FIELD } from './field';
import { quality } from './quality';

/** Direction of the camera where the diagram gives none: from the front right, from above. */
const FROM = new THREE.Vector3(0.72, -1, 0.58).normalize();

/** Width over height of the narrowest canvas that views of files are made for. On a narrower one the eye moves back. */
const NARROWEST = 1;
/** On a canvas lower than this the buttons above the scene cover so much of it that nothing is to lie there [px]. */
const [LOW, BUTTONS] = [400, 48];
/**
 * How long a browser may take to give back what it draws with [ms]: one without a graphics processor starts it anew.
 */
const RESTORE_TIMEOUT = 120_000;

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(FIELD, 1, 0.01, 100);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  readonly quality = quality();
  /** True if the user has moved the camera. */
  touched = false;
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8090a0, 1.55);
  private readonly sun = new THREE.DirectionalLight(0xfff6ea, 2.3);
  private readonly fill = new THREE.DirectionalLight(0xdbe8ff, 0.55);
  private fixed: View | null = null;
  private dirty = true;
  /** The part of the height that buttons cover. */
  private covered = 0;

  constructor(readonly host: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({
      antialias: this.quality.antialias,
      alpha: true,
      powerPreference: 'high-performance',
    });
    this.renderer.setPixelRatio(this.quality.pixelRatio);
    // Asking after each program whether it compiled waits until it has.
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    host.prepend(this.renderer.domElement);
    this.canvas.addEventListener('webglcontextrestored', () => this.ask());
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('start', () => (this.touched = true));
    this.controls.addEventListener('change', () => this.ask());
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(this.quality.shadowMap, this.quality.shadowMap);
    this.sun.shadow.bias = -0.0004;
    this.scene.add(this.sky, this.sun, this.sun.target, this.fill);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** Asks for a frame. */
  ask(): void {
    this.dirty = true;
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.covered = height < LOW && !this.quality.picture ? BUTTONS / height : 0;
    // The middle of the view is put in the middle of the uncovered part.
    this.camera.setViewOffset(width, height, 0, (-this.covered / 2) * height, width, height);
    this.camera.updateProjectionMatrix();
    if (this.fixed && !this.touched) this.lookAsComposed(this.fixed);
    this.ask();
  }

  color(palette: Palette): void {
    this.sky.groundColor.set(palette.dark ? 0x4a5565 : 0x9aa6b4);
    this.sky.intensity = palette.dark ? 1.35 : 1.75;
    this.ask();
  }

  shadows(on: boolean): void {
    this.sun.castShadow = on;
    this.ask();
  }

  /** Draws if anything asked for it; returns whether it did. */
  draw(): boolean {
    if (!this.dirty || this.host.clientWidth === 0) return false;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }

  /**
   * True if the frame that was drawn last is on the canvas. Otherwise the browser has lost its graphics context, which
   * happens on a busy machine, and the canvas is empty.
   */
  get isDrawn(): boolean {
    const context = this.renderer.getContext();
    context.finish();
    return !context.isContextLost();
  }

  /** Waits until the browser has something to draw with. */
  async restored(): Promise<void> {
    const end = performance.now() + RESTORE_TIMEOUT;
    while (this.renderer.getContext().isContextLost()) {
      if (performance.now() > end) throw new Error('the browser lost what it draws with, and did not get it back');
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  /** Lights and clipping for a scene of this size. */
  fit(bounds: Bounds): void {
    const { centre, radius } = bounds;
    this.camera.near = radius / 200;
    this.camera.far = radius * 60;
    this.camera.updateProjectionMatrix();
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).add(new THREE.Vector3(0.45, -0.35, 1).normalize().multiplyScalar(radius * 4));
    const box = this.sun.shadow.camera;
    const reach = radius * 1.5;
    [box.left, box.right, box.bottom, box.top] = [-reach, reach, -reach, reach];
    [box.near, box.far] = [radius * 0.5, radius * 8];
    box.updateProjectionMatrix();
    this.sun.shadow.normalBias = radius * 0.004;
    this.fill.position.copy(centre).add(new THREE.Vector3(-1, -0.6, 0.4).multiplyScalar(radius));
    this.fill.target.position.copy(centre);
    this.controls.maxDistance = radius * 30;
    this.controls.minDistance = radius / 50;
    this.ask();
  }

  /** Looks from where the diagram says; else so that all is in sight. */
  look(view: View | null, bounds: Bounds): void {
    this.fixed = view;
    this.touched = false;
    if (view) {
      this.lookAsComposed(view);
    } else {
      this.camera.up.set(0, 0, 1);
      this.controls.target.copy(bounds.centre);
      this.camera.position.copy(bounds.centre).addScaledVector(FROM, this.distance(bounds));
    }
    this.controls.update();
    this.ask();
  }

  /** Looks from there, and farther back where the canvas is narrow: what was in sight from side to side stays so. */
  private lookAsComposed(view: View): void {
    this.camera.up.set(...view.up);
    this.controls.target.set(...view.target);
    const back = Math.max(1, NARROWEST / this.camera.aspect) / (1 - this.covered);
    this.camera.position
      .set(...view.eye)
      .sub(this.controls.target)
      .multiplyScalar(back)
      .add(this.controls.target);
    this.controls.update();
  }

  /** The distance from which every corner of the box is in sight, with a margin. */
  private distance({ box, centre, radius }: Bounds): number {
    const tall = Math.tan(THREE.MathUtils.degToRad(FIELD / 2)) * 0.86;
    const wide = tall * this.camera.aspect;
    const free = tall * (1 - this.covered);
    const right = new THREE.Vector3().crossVectors(this.camera.up, FROM).normalize();
    const above = new THREE.Vector3().crossVectors(FROM, right);
    let distance = radius * 0.5;
    for (let c = 0; c < 8; c++) {
      const corner = new THREE.Vector3(
        c & 1 ? box.max.x : box.min.x,
        c & 2 ? box.max.y : box.min.y,
        c & 4 ? box.max.z : box.min.z,
      ).sub(centre);
      const near = corner.dot(FROM);
      distance = Math.max(
        distance,
        near + Math.abs(corner.dot(right)) / wide,
        near + Math.abs(corner.dot(above)) / free,
      );
    }
    return distance;
  }

  get hasOwnView(): boolean {
    return this.fixed !== null;
  }

  /** Looks along an axis of the world, at the same target from the same distance. */
  lookAlong(x: number, y: number, z: number): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    // Straight down the direction up is not defined; slightly off it is.
    const from = new THREE.Vector3(x, y - (z !== 0 ? 1e-3 : 0), z).normalize();
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(this.controls.target).addScaledVector(from, distance);
    this.touched = true;
    this.controls.update();
    this.ask();
  }

  /** From where is looked now. */
  viewNow(): View {
    const [eye, target, up] = [this.camera.position, this.controls.target, this.camera.up].map((v) => v.toArray());
    return { eye, target, up };
  }

  /** Looks from there, as if the reader had chosen it. */
  lookFrom(view: View): void {
    this.camera.up.set(...view.up);
    this.camera.position.set(...view.eye);
    this.controls.target.set(...view.target);
    this.touched = true;
    this.controls.update();
    this.ask();
  }

  /** Moves camera and target with the body that is followed. */
  move(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  /** A point of the world in CSS pixels of the canvas. */
  project(x: number, y: number, z: number): [number, number] {
    this.camera.updateMatrixWorld();
    const at = new THREE.Vector3(x, y, z).project(this.camera);
    return [((at.x + 1) / 2) * this.host.clientWidth, ((1 - at.y) / 2) * this.host.clientHeight];
  }

  /** The ray through a point of the canvas in CSS pixels. */
  ray(x: number, y: number): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    const at = new THREE.Vector2((x / this.host.clientWidth) * 2 - 1, 1 - (y / this.host.clientHeight) * 2);
    this.camera.updateMatrixWorld();
    ray.setFromCamera(at, this.camera);
    return ray;
  }
}
