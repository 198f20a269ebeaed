package org.svcmailbox.core.cluster;

import java.net.URI;

/**
 * A node as the others see it.
 *
 * @param url how the others reach it
 * @param isAlive whether its beats have not ended
 */
public record NodeView(NodeId node, URI url, boolean isAlive) {
  /** The address of a path, such as {@code /readyz}, at a node, which may be behind a prefix. */
  public static URI at(URI url, String path) {
    return URI.create(url.toString().replaceAll("/+$", "") + path);
  }
}
