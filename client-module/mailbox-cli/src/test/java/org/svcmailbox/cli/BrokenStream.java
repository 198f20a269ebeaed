package org.svcmailbox.cli;

import java.io.IOException;
import java.io.OutputStream;

/** A pipe whose reader ends after some bytes. */
final class BrokenStream extends OutputStream {
  private int left;

  BrokenStream(int bytes) {
    left = bytes;
  }

  @Override
  public void write(int one) throws IOException {
    if (left == 0) {
      throw new IOException("Broken pipe");
    }
    left--;
  }
}
