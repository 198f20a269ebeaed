package org.svcmailbox.core.service;

/**
 * The end of a node's part in its cluster.
 *
 * @param begin begins to leave and returns at once; repeatable
 * @param await blocks until the node has left or its deadline has passed
 */
public record Departure(Runnable begin, Runnable await) {}
