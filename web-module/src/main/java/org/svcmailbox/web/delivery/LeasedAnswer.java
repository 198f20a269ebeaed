package org.svcmailbox.web.delivery;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.web.answer.Content;

/**
 * The answer to a RECV, to be written once: messages that are given back when it cannot be written.
 * It is flushed rather than left in the server's buffer, so that a broken connection shows while
 * there is still somebody to tell.
 */
final class LeasedAnswer implements Content {
  private static final Logger LOG = System.getLogger(LeasedAnswer.class.getName());

  private final byte[] bytes;
  private final boolean isOwned;
  private final PendingRecv pending;
  private final Peer peer;

  private LeasedAnswer(byte[] bytes, boolean isOwned, PendingRecv pending, Peer peer) {
    this.bytes = bytes;
    this.isOwned = isOwned;
    this.pending = pending;
    this.peer = peer;
  }

  /** Messages in bytes that are for this answer only. */
  static LeasedAnswer of(byte[] bytes, PendingRecv pending, Peer peer) {
    return new LeasedAnswer(bytes, true, pending, peer);
  }

  /** A payload, which is its lease's. */
  static LeasedAnswer of(Payload payload, PendingRecv pending, Peer peer) {
    return new LeasedAnswer(payload.bytes(), false, pending, peer);
  }

  @Override
  public int length() {
    return bytes.length;
  }

  @Override
  public void writeTo(OutputStream output) {
    if (peer.isGone()) {
      pending.abandon();
      return;
    }
    try {
      output.write(bytes);
      output.flush();
    } catch (IOException e) {
      // There is nobody left to be told, and nothing went wrong here.
      pending.abandon();
      LOG.log(Level.INFO, "An answer to RECV could not be written, its messages are given back");
    } finally {
      // The server has its copy, or nobody will have one.
      wipe();
    }
  }

  private void wipe() {
    if (isOwned) {
      Arrays.fill(bytes, (byte) 0);
    }
  }
}
