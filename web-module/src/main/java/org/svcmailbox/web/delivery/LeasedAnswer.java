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
 * The messages of a RECV, written once. A failed write gives them back. The write flushes, so that
 * a broken connection shows while the messages can still be given back.
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

  /** Wraps bytes that belong to this answer only; writing erases them. */
  static LeasedAnswer of(byte[] bytes, PendingRecv pending, Peer peer) {
    return new LeasedAnswer(bytes, true, pending, peer);
  }

  /** Wraps a payload that its lease owns. */
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
      // The client is gone, which is not a failure of the service.
      pending.abandon();
      LOG.log(Level.INFO, "Could not write a RECV answer; its messages are given back");
    } finally {
      // The server has copied the bytes, or nobody needs them.
      wipe();
    }
  }

  private void wipe() {
    if (isOwned) {
      Arrays.fill(bytes, (byte) 0);
    }
  }
}
