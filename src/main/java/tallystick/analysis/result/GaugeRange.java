package tallystick.analysis.result;

/** A gauge over the window's scrapes: summed over engines for counts, per-engine for ratios. */
public record GaugeRange(double minimum, double mean, double maximum, double last) {}
