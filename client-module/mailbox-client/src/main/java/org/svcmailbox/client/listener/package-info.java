/**
 * The parts that listeners in a container share, whichever container it is: the annotation and the
 * method of a listener, the settings of its loop, and its mailboxes over HTTP.
 */
@NullMarked
package org.svcmailbox.client.listener;

import org.jspecify.annotations.NullMarked;
