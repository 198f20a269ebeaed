package org.svcmailbox.layout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A licence with WildFly's name for it, and its identifier in the SPDX list. */
record Licence(String name, String url) {
  private static final Map<String, String> SPDX =
      Map.ofEntries(
          Map.entry("Apache License 2.0", "Apache-2.0"),
          Map.entry("BSD 2-clause \"Simplified\" License", "BSD-2-Clause"),
          Map.entry("BSD 3-Clause \"New\" or \"Revised\" License", "BSD-3-Clause"),
          Map.entry("Common Public License 1.0", "CPL-1.0"),
          Map.entry("Creative Commons Attribution 2.5", "CC-BY-2.5"),
          Map.entry("Eclipse Distribution License, Version 1.0", "BSD-3-Clause"),
          Map.entry("Eclipse Public License 1.0", "EPL-1.0"),
          Map.entry("Eclipse Public License 2.0", "EPL-2.0"),
          Map.entry("GNU Lesser General Public License v2.1 only", "LGPL-2.1-only"),
          Map.entry("GNU Lesser General Public License v2.1 or later", "LGPL-2.1-or-later"),
          Map.entry("GNU Lesser General Public License v3.0 only", "LGPL-3.0-only"),
          Map.entry("GNU Lesser General Public License v3.0 or later", "LGPL-3.0-or-later"),
          Map.entry("GNU Library General Public License v2 only", "LGPL-2.0-only"),
          Map.entry("MIT License", "MIT"),
          Map.entry("MIT-0", "MIT-0"),
          Map.entry("Mozilla Public License 2.0", "MPL-2.0"));

  /** The path of its text in a server. Throws if WildFly does not include one. */
  String text(Path home) {
    String file = name.toLowerCase(Locale.ROOT).replaceAll("[\"!]", "");
    return Stream.of("docs/licenses/" + file + ".txt", "docs/licenses/" + file + ".html")
        .filter(path -> Files.exists(home.resolve(path)))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no text of " + name));
  }

  /** The identifier; null for a licence without one of its own. */
  @Nullable String spdx() {
    return SPDX.get(name);
  }
}
