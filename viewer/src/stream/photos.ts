/** The pictures of one camera, in the order of time. */

import { lastAtOrBefore } from './search';
import type { CameraFacts, Photo } from './schema.generated';

export class Photos {
  private readonly all: Photo[] = [];
  private readonly times: number[] = [];
  /** True if there were too many, so that the last ones are missing. */
  isCut = false;

  constructor(readonly facts: CameraFacts) {}

  take(photo: Photo): void {
    this.isCut ||= photo.png === '';
    this.all.push(photo);
    this.times.push(photo.time);
  }

  /** The picture that is seen at `t`; `null` before the first, and where there are no more. */
  at(t: number): Photo | null {
    const index = lastAtOrBefore(this.times, this.times.length, t);
    const photo = index < 0 ? null : this.all[index];
    return photo?.png === '' ? null : photo;
  }
}
