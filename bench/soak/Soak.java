import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import sun.tools.attach.HotSpotVirtualMachine;

/**
 * Samples Java processes every ten seconds, and says what grew. Before each sample every process
 * collects its garbage, so that the heap is what lives.
 */
final class Soak {
  private static final long EVERY_MILLIS = 10_000;
  private static final int BLOCKS = 10;
  private static final int LEAST_SAMPLES = 60;

  /** Student's t for 95 % both sides, 8 degrees of freedom: ten blocks less a line's two. */
  private static final double STUDENT = 2.306;

  /** Growth over the judged stretch below this share of the level is taken for flat. */
  private static final double SMALL_SHARE = 0.02;

  private static final Pattern HEAP =
      Pattern.compile(
          "(?mi)^\\s*(?:ZHeap|def ?new(?: generation)?|tenured(?: generation)?)\\s[^\\n]*?"
              + "used (\\d+)([KM])");
  private static final String[] QUANTITIES = {"rss MiB", "heap MiB", "threads", "descriptors"};

  private Soak() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("sample")) {
      sample(
          Path.of(arguments[1]), Long.parseLong(arguments[2]),
          Stream.of(arguments).skip(3).map(pair -> pair.split("=")).toList());
    } else {
      System.exit(judge(Path.of(arguments[1])) ? 0 : 1);
    }
  }

  private static void sample(Path file, long seconds, List<String[]> processes)
      throws Exception {
    long start = System.nanoTime();
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println("second,process," + String.join(",", QUANTITIES));
      for (long turn = 1; turn * EVERY_MILLIS < seconds * 1000; turn++) {
        Thread.sleep(Math.max(0, turn * EVERY_MILLIS - (System.nanoTime() - start) / 1_000_000));
        for (String[] process : processes) {
          double at = (System.nanoTime() - start) / 1e9;
          try {
            out.printf(Locale.ROOT, "%.1f,%s,%s%n", at, process[0], look(process[1]));
          } catch (IOException e) {
            System.out.println(process[0] + " ended after " + Math.round(at) + " s");
            return;
          }
        }
        out.flush();
      }
    }
  }

  private static String look(String pid) throws Exception {
    Path proc = Path.of("/proc", pid);
    double heap = liveMebibytes(pid);
    long descriptors;
    try (Stream<Path> open = Files.list(proc.resolve("fd"))) {
      descriptors = open.count();
    }
    String status = Files.readString(proc.resolve("status"));
    return String.format(
        Locale.ROOT, "%.2f,%.2f,%d,%d", field(status, "VmRSS") / 1024.0, heap,
        field(status, "Threads"), descriptors);
  }

  private static long field(String status, String name) throws IOException {
    Matcher found = Pattern.compile("(?m)^" + name + ":\\s*(\\d+)").matcher(status);
    if (!found.find()) {
      throw new IOException("no " + name);
    }
    return Long.parseLong(found.group(1));
  }

  private static double liveMebibytes(String pid) throws Exception {
    try {
      HotSpotVirtualMachine machine = (HotSpotVirtualMachine) VirtualMachine.attach(pid);
      try {
        machine.executeJCmd("GC.run").readAllBytes();
        String heap = new String(machine.executeJCmd("GC.heap_info").readAllBytes());
        double sum = 0;
        for (Matcher used = HEAP.matcher(heap); used.find(); ) {
          sum += Long.parseLong(used.group(1)) / (used.group(2).equals("K") ? 1024.0 : 1);
        }
        return sum;
      } finally {
        machine.detach();
      }
    } catch (com.sun.tools.attach.AttachNotSupportedException e) {
      throw new IOException(e);
    }
  }

  private static boolean judge(Path file) throws IOException {
    Map<String, List<double[]>> samples = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file).subList(1, Files.readAllLines(file).size())) {
      String[] parts = line.split(",");
      double[] values = new double[QUANTITIES.length + 1];
      values[0] = Double.parseDouble(parts[0]);
      for (int i = 1; i < values.length; i++) {
        values[i] = Double.parseDouble(parts[i + 1]);
      }
      samples.computeIfAbsent(parts[1], key -> new ArrayList<>()).add(values);
    }
    List<String> grew = new ArrayList<>();
    for (var process : samples.entrySet()) {
      List<double[]> all = process.getValue();
      if (all.size() < LEAST_SAMPLES) {
        System.out.println("n/a (n=" + all.size() + ", need " + LEAST_SAMPLES + ")");
        return false;
      }
      List<double[]> judged = all.subList(all.size() / 3, all.size());
      for (int i = 0; i < QUANTITIES.length; i++) {
        Trend trend = Trend.of(judged, i + 1);
        String words = process.getKey() + " " + QUANTITIES[i] + " " + trend.words();
        System.out.println(words);
        if (trend.grew()) {
          grew.add(words);
        }
      }
    }
    System.out.println(grew.isEmpty() ? "flat" : "grew: " + String.join("; ", grew));
    return grew.isEmpty();
  }

  /**
   * A line through the means of ten blocks: neighbouring samples are alike, blocks hardly.
   *
   * @param level mean
   * @param slope per hour
   * @param margin half its 95 % interval
   * @param hours judged
   */
  private record Trend(int count, double level, double slope, double margin, double hours) {
    static Trend of(List<double[]> samples, int column) {
      double[] at = new double[BLOCKS];
      double[] value = new double[BLOCKS];
      for (int i = 0; i < BLOCKS; i++) {
        List<double[]> block =
            samples.subList(i * samples.size() / BLOCKS, (i + 1) * samples.size() / BLOCKS);
        at[i] = block.stream().mapToDouble(one -> one[0] / 3600).average().orElseThrow();
        value[i] = block.stream().mapToDouble(one -> one[column]).average().orElseThrow();
      }
      double meanAt = mean(at);
      double level = mean(value);
      double across = 0;
      double together = 0;
      for (int i = 0; i < BLOCKS; i++) {
        across += (at[i] - meanAt) * (at[i] - meanAt);
        together += (at[i] - meanAt) * (value[i] - level);
      }
      double slope = together / across;
      double left = 0;
      for (int i = 0; i < BLOCKS; i++) {
        double off = value[i] - level - slope * (at[i] - meanAt);
        left += off * off;
      }
      double margin = STUDENT * Math.sqrt(left / (BLOCKS - 2) / across);
      double hours = (samples.getLast()[0] - samples.getFirst()[0]) / 3600;
      return new Trend(samples.size(), level, slope, margin, hours);
    }

    private static double mean(double[] values) {
      double sum = 0;
      for (double value : values) {
        sum += value;
      }
      return sum / values.length;
    }

    /** Surely upwards, and by more than a fiftieth of its level and one unit. */
    boolean grew() {
      return slope - margin > 0 && slope * hours > Math.max(SMALL_SHARE * level, 1);
    }

    String words() {
      return String.format(
          Locale.ROOT, "%.1f, slope %+.2f/h (%+.2f to %+.2f), n=%d", level, slope, slope - margin,
          slope + margin, count);
    }
  }
}
