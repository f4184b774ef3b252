/**
 * Takes: how a command went, a failure, Ctrl-C.
 * <p>Gives: the exit code, the words for the failure, an end in which nothing is lost.
 * <p>May use: answer.
 * <p>Never: knows which command it was.
 */
package tallystick.cli.exit;
