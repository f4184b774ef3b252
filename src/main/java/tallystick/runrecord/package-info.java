/**
 * Takes: rows while a run goes on.
 * <p>Gives: the run record, the one place between load and analysis; and the rows again, read back.
 *     Also the way in which every room writes a file that must be whole.
 * <p>May use: scenario and plan, for their words; the record's JSON is written and read only here.
 * <p>Never: holds a derived figure.
 */
package tallystick.runrecord;
