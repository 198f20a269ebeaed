package org.svcmailbox.cli;

import java.io.IOException;
import java.io.OutputStream;

/** A pipe whose reader ends after some bytes, or a file on a disk that is full then. */
final class BrokenStream extends OutputStream {
  private final String why;
  private int left;

  BrokenStream(int bytes) {
    this(bytes, "Broken pipe");
  }

  BrokenStream(int bytes, String why) {
    this.left = bytes;
    this.why = why;
  }

  @Override
  public void write(int one) throws IOException {
    if (left == 0) {
      throw new IOException(why);
    }
    left--;
  }
}
