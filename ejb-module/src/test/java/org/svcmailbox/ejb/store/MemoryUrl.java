package org.svcmailbox.ejb.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** Opens a database as the delivered server does in amnesia. */
final class MemoryUrl {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final Path OVERLAY = Path.of("..", "server", "config", "wildfly", "amnesia.yaml");
  private static final Pattern URL = Pattern.compile("(jdbc:sqlite:file:[^?]+)(\\?[^}\"\\s]+)");

  private MemoryUrl() {}

  /** Presets of {@link SQLiteDataSource} would override the URL. */
  private static final class ByUrl extends SQLiteDataSource {
    @Override
    public Connection getConnection() throws SQLException {
      return DriverManager.getConnection(getUrl());
    }
  }

  /** Connections to a private in-memory database. */
  static DataSource source() {
    SQLiteDataSource source = new ByUrl();
    source.setUrl(read());
    return source;
  }

  private static String read() {
    try {
      Matcher url = URL.matcher(Files.readString(OVERLAY));
      if (!url.find()) {
        throw new IllegalStateException("no URL of a database in " + OVERLAY);
      }
      return url.group(1) + NUMBERS.incrementAndGet() + url.group(2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
