package org.svcmailbox.web.json;

import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;

/**
 * An answer's bytes, ready to be written. A {@code StreamingOutput} rather than a bare array: some
 * servers write arrays by way of another thread, which costs more than the few bytes are worth.
 */
public final class JsonBytes implements StreamingOutput {
  private final byte[] bytes;

  /**
   * @param bytes not copied: the caller gives them up
   */
  public JsonBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public void write(OutputStream output) throws IOException {
    output.write(bytes);
  }
}
