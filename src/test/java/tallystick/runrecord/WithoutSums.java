package tallystick.runrecord;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Takes the checksums out of a record, as somebody does who wants to change it unseen. */
public final class WithoutSums {
  private WithoutSums() {}

  /** Makes a record of format 1 of it. */
  public static void in(Path run) throws IOException {
    RecordFiles files = RecordFiles.ofRun(run);
    for (Path file : files.lasting()) {
      if (Files.isRegularFile(file)) {
        String text = Files.readString(file);
        Files.writeString(file, text.replaceAll(",\\s*\"sum\":\"[0-9a-f]{8}\"}", "}"));
      }
    }
    if (Files.isRegularFile(files.manifest())) {
      String text = Files.readString(files.manifest());
      Files.writeString(
          files.manifest(),
          text.replaceAll(",\\s*\"sum\":\"[0-9a-f]{8}\"}", "}")
              .replaceFirst("(?s),\\s*\"files\" : \\{.*?\\n  }", "\n")
              .replaceFirst("\"format_version\" : 2", "\"format_version\" : 1"));
    }
  }
}
