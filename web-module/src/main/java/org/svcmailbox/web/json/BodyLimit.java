package org.svcmailbox.web.json;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.svcmailbox.core.settings.MailboxSettings;

/**
 * The most bytes a request body may have: {@code max_frame} payload bytes grown by base64, and a
 * fixed allowance for everything else.
 *
 * <p>The allowance of 256 KiB covers one message whose other fields are all at their longest with
 * every character escaped: 32 attributes of 128 + 1024 characters, six bytes each, are 216 KiB. A
 * batch shares it among its messages.
 */
@Singleton
public final class BodyLimit {
  /** Bytes for what is not payload. */
  static final int ALLOWANCE = 256 * 1024;

  private final int frame;
  private final int bytes;

  @Inject
  BodyLimit(MailboxSettings settings) {
    this(settings.request().maxFrame());
  }

  /**
   * The limit for a frame size.
   *
   * @param maxFrame the most payload bytes
   */
  public BodyLimit(int maxFrame) {
    this.frame = maxFrame;
    this.bytes = Math.addExact(Math.multiplyExact(4, (maxFrame + 2) / 3), ALLOWANCE);
  }

  /** The most bytes of a body. */
  public int bytes() {
    return bytes;
  }

  /** The most bytes of a body that is a payload and nothing else. */
  int frame() {
    return frame;
  }
}
