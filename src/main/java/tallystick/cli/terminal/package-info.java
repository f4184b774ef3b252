/**
 * Takes: what a command prints, and how far its run is.
 * <p>Gives: text that no stranger steers, and a view that is drawn anew in its place.
 * <p>May use: scenario, runrecord, run, answer, report.screen.
 * <p>Never: decides what is said.
 */
package tallystick.cli.terminal;
