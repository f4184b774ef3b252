package tallystick.alerting.derivation;

import tallystick.analysis.result.Judgement.Verdict;

/**
 * What a signal showed in one window, beside what users lived through.
 *
 * @param value of the signal
 * @param badShare of the window's requests, 0 to 1
 * @param label what the client's counts prove
 */
public record SignalWindow(double value, double badShare, Verdict label) {}
