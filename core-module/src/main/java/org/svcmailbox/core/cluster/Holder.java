package org.svcmailbox.core.cluster;

/**
 * The node that last said it has a group.
 *
 * @param epoch the entry that opened the group's log for it; rises from holder to holder
 */
public record Holder(NodeId node, long epoch) {}
