package tallystick.runrecord;

/**
 * The numbers that NVIDIA's DCGM writes where it has no value: not found, not supported, not
 * permitted. The record keeps them as exposed; readers take them as absent.
 *
 * <p>Source: {@code DCGM_INT32_BLANK}, {@code DCGM_INT64_BLANK} and {@code DCGM_FP64_BLANK} of
 * dcgm_fields.h, each with the fifteen numbers after it.
 */
public final class BlankValue {
  private static final String PREFIX = "DCGM_";
  private static final double INT32 = 0x7ffffff0;
  private static final double FP64 = 140_737_488_355_328.0;
  private static final double RESERVED = 15;

  /** 2^63, which a double cannot tell from the 64-bit blanks just below it. */
  private static final double INT64 = 0x1p63;

  private BlankValue() {}

  /** Whether a sample says that there is no value. */
  public static boolean isBlank(Sample sample) {
    Series series = sample.series();
    double value = sample.value();
    if (!series.name().startsWith(PREFIX)) {
      return false;
    }
    // A counter of millijoules passes 2^31 on its way; only a gauge cannot mean such a number.
    boolean isGauge = series.type() != Series.Type.COUNTER;
    return value >= INT64 || isGauge && isReserved(value, INT32) || isReserved(value, FP64);
  }

  private static boolean isReserved(double value, double first) {
    return value >= first && value <= first + RESERVED;
  }
}
