package tallystick.analysis.change;

/**
 * A judged stretch and its reference.
 *
 * @param isFound whether the border between them was put where they differ most; then chance
 *     alone makes them differ by more than two stretches that were named before
 */
public record StretchPair(Stretch judged, Stretch reference, boolean isFound) {}
