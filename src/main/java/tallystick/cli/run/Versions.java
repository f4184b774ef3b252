package tallystick.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine;

/** The versions this build was made with, as {@code pom.xml} names them. */
public final class Versions implements CommandLine.IVersionProvider {

  private static final Properties BUILT = read();

  /** @return tally's own version, for example {@code 0.2.0} */
  public static String tally() {
    return BUILT.getProperty("tally");
  }

  /** @return the version of the Gatling libraries that inject the load */
  static String gatling() {
    return BUILT.getProperty("gatling");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"tally " + tally(), "Gatling " + gatling(), "Java " + Runtime.version()};
  }

  private static Properties read() {
    Properties read = new Properties();
    try (InputStream in = Versions.class.getResourceAsStream("versions.properties")) {
      read.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return read;
  }
}
