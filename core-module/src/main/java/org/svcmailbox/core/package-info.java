/** What a message is and what may happen to it; knows no container. */
@NullMarked
package org.svcmailbox.core;

import org.jspecify.annotations.NullMarked;
