package org.svcmailbox.ejb.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens the embedded database as the delivered server does; {@code parameters} follow the file's
 * name.
 */
public record ServerUrl(String parameters) {
  private static final Path SCRIPT =
      Path.of("..", "server", "config", "wildfly", "30-database.cli");
  private static final Pattern URL =
      Pattern.compile("jdbc:sqlite:\\$\\{jboss\\.server\\.data\\.dir}/[^?\\s]+\\?([^}\"\\s]+)}");

  /** Reads the server's configuration script. */
  public static ServerUrl read() throws IOException {
    Matcher url = URL.matcher(Files.readString(SCRIPT));
    if (!url.find()) {
      throw new IllegalStateException("no URL of an embedded database in " + SCRIPT);
    }
    return new ServerUrl(url.group(1));
  }

  String value(String name) {
    for (String parameter : parameters.split("&", -1)) {
      if (parameter.startsWith(name + "=")) {
        return parameter.substring(name.length() + 1);
      }
    }
    throw new IllegalArgumentException(name + " is not in " + parameters);
  }

  /** The same with another value for {@code name}. */
  public ServerUrl with(String name, String value) {
    return new ServerUrl(parameters.replace(name + "=" + value(name), name + "=" + value));
  }

  public String of(Path file) {
    return "jdbc:sqlite:" + file + "?" + parameters;
  }
}
