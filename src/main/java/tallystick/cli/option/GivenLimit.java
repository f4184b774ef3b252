package tallystick.cli.option;

import java.util.OptionalLong;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import tallystick.scenario.LengthOfTime;

/** The limit of an objective on the command line: as in a scenario, with its unit and above 0. */
public final class GivenLimit implements ITypeConverter<Double> {
  private static final double NANOS = 1e9;

  @Override
  public Double convert(String text) {
    String limit = text.strip();
    if (limit.matches("[+-]?\\d{0,9}\\.?\\d{1,9}")) {
      throw new TypeConversionException(
          "'" + text + "' has no unit: write " + limit + "s for seconds or " + limit
              + "ms for milliseconds");
    }
    OptionalLong nanos = LengthOfTime.nanos(text);
    if (nanos.isEmpty()) {
      throw new TypeConversionException(
          "'" + text + "' is not a time: "
              + LengthOfTime.hint(text).orElse("write for example 0.7s, 300ms or 1m30s"));
    }
    if (nanos.getAsLong() <= 0) {
      throw new TypeConversionException(
          "'" + text + "' is not a limit: a time above 0 is, for example 300ms");
    }
    return nanos.getAsLong() / NANOS;
  }
}
