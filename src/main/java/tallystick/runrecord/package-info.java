/**
 * Takes: rows while a run goes on.
 * <p>Gives: the run record, the narrow waist between load and analysis, and the rows back again.
 * <p>May use: scenario's and plan's words; the record's JSON is written and read only here.
 * <p>Never: holds a derived figure.
 */
package tallystick.runrecord;
