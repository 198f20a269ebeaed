package org.svcmailbox.web.delivery;

import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;

/**
 * The answer to a RECV, to be written once: messages that are given back when it cannot be written.
 * It is flushed rather than left in the server's buffer, so that a broken connection shows while
 * there is still somebody to tell.
 */
final class LeasedAnswer implements StreamingOutput {
  private static final Logger LOG = System.getLogger(LeasedAnswer.class.getName());

  private final byte[] json;
  private final PendingRecv pending;
  private final Peer peer;

  LeasedAnswer(byte[] json, PendingRecv pending, Peer peer) {
    this.json = json;
    this.pending = pending;
    this.peer = peer;
  }

  /** Bytes of the answer. */
  int length() {
    return json.length;
  }

  @Override
  public void write(OutputStream output) {
    if (peer.isGone()) {
      pending.abandon();
      return;
    }
    try {
      output.write(json);
      output.flush();
    } catch (IOException e) {
      // There is nobody left to be told, and nothing went wrong here.
      pending.abandon();
      LOG.log(Level.INFO, "An answer to RECV could not be written, its messages are given back");
    } finally {
      // The server has its copy, or nobody will have one.
      Arrays.fill(json, (byte) 0);
    }
  }
}
