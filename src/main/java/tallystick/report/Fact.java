package tallystick.report;

/**
 * One named value of the report.
 *
 * @param name what it is
 * @param value how it reads
 */
record Fact(String name, String value) {}
