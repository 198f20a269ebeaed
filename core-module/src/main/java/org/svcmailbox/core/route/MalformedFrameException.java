package org.svcmailbox.core.route;

/** Bytes that are no frame of a version that this release reads. */
public final class MalformedFrameException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedFrameException(String why) {
    super(why);
  }
}
