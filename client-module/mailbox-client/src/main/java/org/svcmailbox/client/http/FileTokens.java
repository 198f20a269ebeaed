package org.svcmailbox.client.http;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.AccessDeniedException;

/** The token in a file. Looks at the file's time and identity before each call. */
final class FileTokens implements TokenSource {
  private record Read(FileTime modified, @Nullable Object key, long size, String token) {
    boolean isOf(BasicFileAttributes now) {
      return modified.equals(now.lastModifiedTime())
          && size == now.size()
          && (key == null || key.equals(now.fileKey()));
    }
  }

  private final Path file;
  private volatile @Nullable Read last;

  FileTokens(Path file) {
    this.file = requireNonNull(file, "file");
  }

  @Override
  public String token() {
    try {
      Read known = last;
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return known != null && known.isOf(now) ? known.token() : read(now);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public String refreshed(String refused) {
    try {
      return read(Files.readAttributes(file, BasicFileAttributes.class));
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Attributes from before the reading: a change meanwhile is seen by the next call. */
  private String read(BasicFileAttributes before) throws IOException {
    String token = Tokens.require(Files.readString(file));
    last = new Read(before.lastModifiedTime(), before.fileKey(), before.size(), token);
    return token;
  }

  private AccessDeniedException unreadable(IOException cause) {
    return new AccessDeniedException("the token cannot be read from " + file, cause);
  }

  @Override
  public String toString() {
    return "TokenSource[" + file + "]";
  }
}
