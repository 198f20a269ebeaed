package org.svcmailbox.console.page;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The console's scripts and styles under a path with a hash of them all. Browsers keep them for
 * good, and the page that names them is asked for each time. It names every module, so that a
 * browser loads them at once instead of one import after the other.
 */
final class Assets {
  private static final String INDEX = "/index.html";
  private static final Pattern VERSIONED = Pattern.compile("/(?:app|css)/.*");

  /** A classic script, which runs before the first paint. */
  private static final String NO_MODULE = "/app/theme-first.js";

  private static final Pattern REFERENCE = Pattern.compile("(?<= (?:href|src)=\")(?=(?:app|css)/)");

  private final String root;
  private final Map<String, byte[]> files;

  private Assets(String root, Map<String, byte[]> files) {
    this.root = root;
    this.files = files;
  }

  /**
   * Adds the paths of scripts and styles, and names them in the page.
   *
   * @param files all files by their path, which begins with a slash
   */
  static Assets of(Map<String, byte[]> files) {
    Map<String, byte[]> versioned = new TreeMap<>(files);
    versioned.keySet().removeIf(path -> !VERSIONED.matcher(path).matches());
    String root = "v/" + hash(versioned) + "/";
    Map<String, byte[]> all = new HashMap<>(files);
    versioned.forEach((path, bytes) -> all.put("/" + root + path.substring(1), bytes));
    all.computeIfPresent(INDEX, (path, page) -> index(page, root, versioned));
    return new Assets(root, Map.copyOf(all));
  }

  Map<String, byte[]> files() {
    return files;
  }

  /** Whether what a path names never changes. */
  boolean isForGood(String path) {
    return path.startsWith(root, 1);
  }

  private static byte[] index(byte[] page, String root, Map<String, byte[]> versioned) {
    String named = REFERENCE.matcher(new String(page, StandardCharsets.UTF_8)).replaceAll(root);
    String modules =
        versioned.keySet().stream()
            .filter(path -> path.endsWith(".js") && !path.equals(NO_MODULE))
            .map(
                path ->
                    "  <link rel=\"modulepreload\" href=\"" + root + path.substring(1) + "\">\n  ")
            .collect(Collectors.joining());
    return named.replace("</head>", modules + "</head>").getBytes(StandardCharsets.UTF_8);
  }

  private static String hash(Map<String, byte[]> sorted) {
    String list =
        sorted.entrySet().stream()
            .map(
                file ->
                    file.getKey() + "=" + HexFormat.of().formatHex(Page.sha256(file.getValue())))
            .collect(Collectors.joining("\n"));
    byte[] all = Page.sha256(list.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(all, 0, 8);
  }
}
