import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * Raises class files of Java 5 and older, those of picocli and Commons Math, to Java 8's format:
 * the same code with the stack maps that came with Java 6. Java remembers no older class of a
 * start, checks it the slow way, and Java 25.0.3 fails while it makes an AOT cache beside them.
 * {@code java RaisedClasses.java FOLDER} rewrites the folder's jars that have such classes; of Java
 * 24 or newer.
 */
public class RaisedClasses {
  /** Stack maps came with Java 6, and Java verifies and remembers all classes that have them. */
  private static final int OLDEST_REMEMBERED = 50;

  private static final int JAVA_8 = 52;
  private static final String NOTICE = "META-INF/CHANGED-BY-TALLYSTICK";

  /** Rewrites each jar of a folder that needs it. */
  public static void main(String[] arguments) throws IOException {
    List<Path> jars;
    try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
      jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    for (Path jar : jars) {
      if (hasOldClass(jar)) {
        raise(jar);
      }
    }
  }

  private static boolean hasOldClass(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : Collections.list(file.entries())) {
        if (isOld(entry, file.getInputStream(entry).readNBytes(8))) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean isOld(JarEntry entry, byte[] bytes) {
    return entry.getName().endsWith(".class")
        && ((bytes[6] & 0xff) << 8 | bytes[7] & 0xff) < OLDEST_REMEMBERED;
  }

  private static void raise(Path jar) throws IOException {
    ByteArrayOutputStream raised = new ByteArrayOutputStream();
    try (JarFile file = new JarFile(jar.toFile());
        URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        JarOutputStream out = new JarOutputStream(raised)) {
      ClassFile format =
          ClassFile.of(
              ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(classes)));
      for (JarEntry entry : Collections.list(file.entries())) {
        byte[] bytes = file.getInputStream(entry).readAllBytes();
        write(out, entry, isOld(entry, bytes) ? raise(format, bytes) : bytes);
      }
      JarEntry notice = new JarEntry(NOTICE);
      notice.setTimeLocal(file.entries().nextElement().getTimeLocal());
      String words = "Class files were raised to Java 8's format; their code is the same.\n";
      write(out, notice, words.getBytes(StandardCharsets.UTF_8));
    }
    Path fresh = Files.write(Path.of(jar + ".raised"), raised.toByteArray());
    Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] raise(ClassFile format, byte[] bytes) {
    // A body is built anew, and gets its stack map, where something is done to it.
    ClassTransform bodies = ClassTransform.transformingMethodBodies((body, each) -> body.with(each));
    return format.transformClass(
        format.parse(bytes),
        bodies.andThen(ClassTransform.endHandler(each -> each.withVersion(JAVA_8, 0))));
  }

  /** The same place in time, so that two builds are equal. */
  private static void write(JarOutputStream out, JarEntry like, byte[] bytes) throws IOException {
    JarEntry entry = new JarEntry(like.getName());
    entry.setTimeLocal(like.getTimeLocal());
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }
}
