package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Class loaders for peers that are on no class path of the build; each sees only its jars and the
 * JDK. A loader is kept, because reloaded classes would start each round uncompiled.
 */
public final class PeerClasses {
  private static final Map<Path, ClassLoader> LOADED = new HashMap<>();

  private PeerClasses() {}

  /** The loader for all jars of a directory. */
  public static synchronized ClassLoader in(Path directory) throws IOException {
    ClassLoader loaded = LOADED.get(directory);
    if (loaded == null) {
      loaded = new URLClassLoader(jars(directory), ClassLoader.getPlatformClassLoader());
      LOADED.put(directory, loaded);
    }
    return loaded;
  }

  private static URL[] jars(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> jars = files.toList();
      URL[] urls = new URL[jars.size()];
      for (int i = 0; i < urls.length; i++) {
        urls[i] = jars.get(i).toUri().toURL();
      }
      return urls;
    }
  }
}
