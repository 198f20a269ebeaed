package org.svcmailbox.web.json;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.svcmailbox.core.route.PeerCodec;
import org.svcmailbox.core.settings.MailboxSettings;

/**
 * The size limit of request bodies: {@code max_frame} payload bytes in base64, plus an allowance
 * for all other fields.
 *
 * <p>The allowance of 256 KiB fits one message with every field at its maximum and every character
 * escaped. Its 32 attributes of 128 + 1024 characters, six bytes each, take 216 KiB. The messages
 * of a batch share it.
 */
@Singleton
public final class BodyLimit {
  /** Bytes for everything except the payload. */
  static final int ALLOWANCE = 256 * 1024;

  private final int frame;
  private final int bytes;
  private final int received;

  @Inject
  public BodyLimit(MailboxSettings settings) {
    this(settings.request().maxFrame(), settings.cluster().isPresent());
  }

  /**
   * @param maxFrame the most payload bytes
   */
  public BodyLimit(int maxFrame) {
    this(maxFrame, false);
  }

  private BodyLimit(int maxFrame, boolean hasPeers) {
    this.frame = maxFrame;
    this.bytes = Math.addExact(Math.multiplyExact(4, (maxFrame + 2) / 3), ALLOWANCE);
    this.received = hasPeers ? Math.max(bytes, PeerCodec.MOST_CALL_BYTES) : bytes;
  }

  public int bytes() {
    return bytes;
  }

  /** The most bytes that the listener takes for any call, also for a frame of another node. */
  public int received() {
    return received;
  }

  /** The limit of a body that is a bare payload, in bytes. */
  int frame() {
    return frame;
  }
}
