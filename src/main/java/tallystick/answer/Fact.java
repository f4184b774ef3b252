package tallystick.answer;

/**
 * One named value of the report.
 *
 * @param name what it is
 * @param value how it reads
 */
public record Fact(String name, String value) {}
