package tallystick.runrecord;

/**
 * One value of one series at one scrape.
 *
 * @param series which series
 * @param value as exposed; may be NaN or infinite
 */
public record Sample(Series series, double value) {}
