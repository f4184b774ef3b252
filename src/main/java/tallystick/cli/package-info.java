/**
 * Takes: the user's words on the command line.
 * <p>Gives: stages called in order, and an exit code.
 * <p>May use: every room but openai and gatling.
 * <p>Never: computes a figure; another room's work done here is a defect.
 */
package tallystick.cli;
