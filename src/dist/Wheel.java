import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes the Python wheel of a release's zip, without Python: {@code java Wheel.java VERSION ZIP
 * WHEEL}. The package holds the release below {@code home}, without its documents.
 */
final class Wheel {
  private static final Path PYTHON = Path.of("src/main/python");

  /** What the wheel's users have on the web, or do not need to run. */
  private static final List<String> LEFT_OUT = List.of("docs/", "README", "CHANGELOG", "SECURITY");

  /** As old as a zip can say, so that two builds are equal. */
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private final Map<String, byte[]> files = new TreeMap<>();

  public static void main(String[] words) throws IOException, GeneralSecurityException {
    Wheel wheel = new Wheel();
    wheel.addRelease(Path.of(words[1]));
    wheel.addPackage();
    wheel.addFacts(words[0]);
    try (OutputStream out = Files.newOutputStream(Path.of(words[2]))) {
      wheel.write(out);
    }
  }

  private void addRelease(Path zip) throws IOException {
    try (ZipFile release = new ZipFile(zip.toFile())) {
      for (ZipEntry entry : release.stream().filter(one -> !one.isDirectory()).toList()) {
        String name = entry.getName().substring(entry.getName().indexOf('/') + 1);
        if (LEFT_OUT.stream().noneMatch(name::startsWith)) {
          files.put("tallystick/home/" + name, release.getInputStream(entry).readAllBytes());
        }
      }
    }
  }

  private void addPackage() throws IOException {
    try (Stream<Path> modules = Files.list(PYTHON.resolve("tallystick"))) {
      for (Path module : modules.filter(one -> one.toString().endsWith(".py")).toList()) {
        files.put("tallystick/" + module.getFileName(), Files.readAllBytes(module));
      }
    }
  }

  private void addFacts(String version) throws IOException, GeneralSecurityException {
    String facts = "tallystick-" + version + ".dist-info/";
    String about = Files.readString(PYTHON.resolve("METADATA")).replace("@version@", version);
    put(facts + "METADATA", about);
    put(facts + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
    put(
        facts + "entry_points.txt",
        "[console_scripts]\ntally = tallystick.__main__:main\ntallystick = tallystick.__main__:main\n");
    files.put(facts + "licenses/LICENSE", files.get("tallystick/home/LICENSE"));
    put(facts + "RECORD", record() + facts + "RECORD,,\n");
  }

  private void put(String name, String text) {
    files.put(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private String record() throws GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    StringBuilder rows = new StringBuilder();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      String sum = encoder.encodeToString(digest.digest(file.getValue()));
      rows.append(file.getKey()).append(",sha256=").append(sum).append(',')
          .append(file.getValue().length).append('\n');
    }
    return rows.toString();
  }

  private void write(OutputStream out) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        ZipEntry entry = new ZipEntry(file.getKey());
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        zip.write(file.getValue());
        zip.closeEntry();
      }
    }
  }
}
