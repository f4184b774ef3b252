package tallystick.analysis.change;

/**
 * A judged period and its reference.
 *
 * @param isFound whether the border between them was put where they differ most; then chance
 *     alone makes them differ by more than two periods that were named before
 */
public record PeriodPair(Period judged, Period reference, boolean isFound) {}
