/** The domain: messages and their life. Knows no container. */
@NullMarked
package org.svcmailbox.core;

import org.jspecify.annotations.NullMarked;
