/** Points one step lower (-1) or higher (1) on one axis and equal on all others, as far as there are any; by axis. */
export function nearbyPoints(points: readonly (readonly number[])[], from: number, direction: -1 | 1): number[] {
  const own = points[from];
  return own.flatMap((_, axis) => {
    // Constraints leave holes: the next point in that direction.
    const along = points.flatMap((place, point) => {
      const steps = (place[axis] - own[axis]) * direction;
      const isAlong = steps > 0 && place.every((step, other) => other === axis || step === own[other]);
      return isAlong ? [{ point, steps }] : [];
    });
    if (along.length === 0) return [];
    return [along.reduce((near, one) => (one.steps < near.steps ? one : near)).point];
  });
}
