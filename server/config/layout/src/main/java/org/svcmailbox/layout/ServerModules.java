package org.svcmailbox.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The modules of a laid-out server. A module reaches the ones that it requires, asks for services,
 * or names in its classes. Other optional dependencies reach nothing. A subsystem is reached only
 * if it is required, because the configuration decides which subsystems there are.
 */
final class ServerModules {
  private final Map<String, ServerModule> modules = new TreeMap<>();

  private ServerModules() {}

  static ServerModules read(Path home) throws IOException {
    ServerModules read = new ServerModules();
    try (Stream<Path> files = Files.walk(home.resolve("modules"))) {
      for (Path xml : files.filter(file -> file.endsWith("module.xml")).toList()) {
        ServerModule module = ServerModule.read(xml);
        read.modules.put(module.name(), module);
      }
    }
    return read;
  }

  /** The modules that no root reaches. An unused one is reached only if it is required. */
  Set<ServerModule> unreached(Set<String> roots, Set<String> unused) throws IOException {
    Set<String> nameable = new HashSet<>(modules.keySet());
    nameable.removeAll(unused);
    nameable.removeAll(extensions());
    Map<String, ServerModule> unreached = new TreeMap<>(modules);
    Deque<String> next = new ArrayDeque<>(roots);
    while (!next.isEmpty()) {
      ServerModule module = unreached.remove(next.pop());
      if (module != null) {
        next.addAll(module.required());
        Set<String> names = new HashSet<>(module.asked());
        for (Path jar : module.jars()) {
          names.addAll(ModuleJar.texts(jar));
        }
        names.retainAll(nameable);
        next.addAll(names);
      }
    }
    return Set.copyOf(unreached.values());
  }

  private Set<String> extensions() throws IOException {
    Set<String> extensions = new TreeSet<>();
    for (ServerModule module : modules.values()) {
      for (Path jar : module.jars()) {
        if (ModuleJar.isExtension(jar)) {
          extensions.add(module.name());
        }
      }
    }
    return extensions;
  }
}
